import { WordRow } from "../parts/words.js";
import { define } from "./define.js";

define("poslab-words", WordRow);

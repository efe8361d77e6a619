import { LearnedPanel } from "../panels/learned.js";
import { define } from "./define.js";
import "./poslab-matrix.js";
import "./poslab-table-opener.js";

define("poslab-learned", LearnedPanel);

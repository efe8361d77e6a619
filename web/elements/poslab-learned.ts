import { LearnedPanel } from "../panels/learned.js";
import { define } from "./define.js";
import "./poslab-matrix.js";

define("poslab-learned", LearnedPanel);

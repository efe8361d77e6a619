import { MistakesPanel } from "../panels/mistakes.js";
import { define } from "./define.js";
import "./poslab-matrix.js";

define("poslab-mistakes", MistakesPanel);

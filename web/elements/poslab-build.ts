import { BuildPanel } from "../panels/build.js";
import { define } from "./define.js";
import "./poslab-code.js";
import "./poslab-matrix.js";

define("poslab-build", BuildPanel);

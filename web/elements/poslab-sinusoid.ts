import { SinusoidPanel } from "../panels/sinusoid.js";
import { define } from "./define.js";
import "./poslab-matrix.js";
import "./poslab-proof.js";

define("poslab-sinusoid", SinusoidPanel);

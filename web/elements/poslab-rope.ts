import { RopePanel } from "../panels/rope.js";
import { define } from "./define.js";
import "./poslab-matrix.js";
import "./poslab-proof.js";

define("poslab-rope", RopePanel);

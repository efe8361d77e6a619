import { ShufflePanel } from "../panels/shuffle.js";
import { define } from "./define.js";
import "./poslab-matrix.js";
import "./poslab-proof.js";
import "./poslab-words.js";

define("poslab-shuffle", ShufflePanel);

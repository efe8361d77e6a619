import { AttentionPanel } from "../panels/attention.js";
import { define } from "./define.js";
import "./poslab-heads.js";
import "./poslab-matrix.js";

define("poslab-attention", AttentionPanel);

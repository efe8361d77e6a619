import { EmbedPanel } from "../panels/embed.js";
import { define } from "./define.js";
import "./poslab-matrix.js";

define("poslab-embed", EmbedPanel);

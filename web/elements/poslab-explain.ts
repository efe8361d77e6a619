import { ExplainPanel } from "../panels/explain.js";
import { define } from "./define.js";

define("poslab-explain", ExplainPanel);

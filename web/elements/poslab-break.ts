import { BreakPanel } from "../panels/break.js";
import { define } from "./define.js";
import "./poslab-loss-chart.js";

define("poslab-break", BreakPanel);

import { LossChart } from "../parts/loss_chart.js";
import { define } from "./define.js";

define("poslab-loss-chart", LossChart);

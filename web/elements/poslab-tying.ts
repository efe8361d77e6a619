import { TyingPanel } from "../panels/tying.js";
import { define } from "./define.js";
import "./poslab-loss-chart.js";
import "./poslab-proof.js";

define("poslab-tying", TyingPanel);

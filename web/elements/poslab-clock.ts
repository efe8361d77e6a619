import { ClockPanel } from "../panels/clock.js";
import { define } from "./define.js";
import "./poslab-proof.js";

define("poslab-clock", ClockPanel);

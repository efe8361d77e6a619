import { RacePanel } from "../panels/race.js";
import { define } from "./define.js";
import "./poslab-corpus.js";
import "./poslab-loss-chart.js";

define("poslab-race", RacePanel);

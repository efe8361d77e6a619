import { HeadGrid } from "../parts/head_grid.js";
import { define } from "./define.js";

define("poslab-heads", HeadGrid);

import { TableOpener } from "../parts/table_opener.js";
import { define } from "./define.js";

define("poslab-table-opener", TableOpener);

import { SortableList } from "../parts/sortable.js";
import { define } from "./define.js";

define("poslab-sortable", SortableList);

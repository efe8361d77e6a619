import { DerivePanel } from "../panels/derive.js";
import { define } from "./define.js";
import "./poslab-proof.js";
import "./poslab-sortable.js";

define("poslab-derive", DerivePanel);

// Terms that several panels need, each explained in the same words wherever a panel may stand alone.

export const lossTerm =
  "The loss says how surprised a model is, on average, by the character that really comes next. Its unit is the nat: 0 is certainty, and one nat less means that the right character got 2.7 times the probability. The validation loss is the loss on text that was kept aside and never trained on.";

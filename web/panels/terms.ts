// Terms that several panels need, each explained in the same words wherever a panel may stand alone.

export const lossTerm =
  "The loss says how surprised a model is, on average, by the character that really comes next. Its unit is the nat: 0 is certainty, and one nat less means that the right character got 2.7 times the probability. The validation loss is the loss on text that was kept aside and never trained on. A batch is the few pieces of text that one step of the training learns from.";

export const cosineTerm = "The cosine of two rows says how alike they are: 1 is the same direction, 0 is nothing in common.";

/** Values of the `Outcome` of an autoscaler cycle in which somebody held the lease and decided. */
export const LEADING_OUTCOMES = ['applied', 'partial', 'planned'] as const;

/** Values of the `Limit` that a long call ran into. */
export const CALL_LIMITS = ['whole-answer'] as const;

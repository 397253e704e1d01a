/** Values of the `Outcome` of an autoscaler cycle in which somebody held the lease and decided. */
export const LEADING_OUTCOMES = ['applied', 'partial', 'planned'] as const;

/** Values of the `Limit` that a long call ran into. */
export const CALL_LIMITS = ['whole-answer'] as const;

/** Values of the `Part` of the cost rate: chat tasks, provisioned units, on-demand tokens, and all of them. */
export const COST_PARTS = ['tasks', 'units', 'tokens', 'total'] as const;

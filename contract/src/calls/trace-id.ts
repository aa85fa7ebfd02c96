/** Has the call been traced? Servers that trace nothing write zeros. */
export const isTraced = (trace_id: string | null | undefined): trace_id is string =>
  typeof trace_id === 'string' && /[^0]/.test(trace_id)

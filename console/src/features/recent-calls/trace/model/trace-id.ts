/** Whether the call has a trace. Servers without tracing write zeros. */
export const isTraced = (trace_id: string | null | undefined): trace_id is string =>
  typeof trace_id === 'string' && /[^0]/.test(trace_id)

/** Formats a span id in hexadecimal, as tracing tools do. On the wire its eight bytes can be in base64. */
export const formatSpanId = (id: string): string =>
  /^[A-Za-z0-9+/]{11}=$/.test(id)
    ? [...atob(id)].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('')
    : id

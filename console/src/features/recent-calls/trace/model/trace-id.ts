/** Has the call been traced? Servers that trace nothing write zeros. */
export const isTraced = (trace_id: string | null | undefined): trace_id is string =>
  typeof trace_id === 'string' && /[^0]/.test(trace_id)

/** The ID of a span as tracing tools show it, in hexadecimal digits: over the wire its eight bytes may come in base64. */
export const spanIdText = (id: string): string =>
  /^[A-Za-z0-9+/]{11}=$/.test(id)
    ? [...atob(id)].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, '0')).join('')
    : id

export interface HttpResponse {
  status: number
  text: string
  headers: Headers
}

/** Counts the requests of all proofs, for the summary. */
export const requestCounter = { count: 0 }

/** Sends a request. A JSON body may be any value; any other body is text or bytes with its content type. */
export const send = async (
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<HttpResponse> => {
  requestCounter.count += 1
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as BodyInit }),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Sends a JSON request that must succeed; returns the parsed body. */
export const sendOk = async <T = { sid: string }>(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> => {
  const response = await send(url, token, method, path, body)
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text.slice(0, 300)}`)
  return (response.text === '' ? undefined : JSON.parse(response.text)) as T
}

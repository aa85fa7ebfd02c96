type Body = Record<string, unknown>

/** Any response of the API. */
export interface Answer<T = unknown> {
  status: number
  body: T
}

/** Sends a request to the API of a server. */
export const request = async <T = unknown>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: Body,
): Promise<Answer<T>> => {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: (json ? JSON.parse(text) : text) as T }
}

/** An API client with one credential; throws on a 4xx or 5xx response. */
export const apiOf = (url: string, token: string) => {
  const well = async <T>(method: string, path: string, body?: Body): Promise<T> => {
    const answer = await request<T>(url, token, method, path, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    get: <T = Body>(path: string) => well<T>('GET', path),
    /** Creates a record; returns its SID. */
    add: async (path: string, body: Body = {}) => (await well<{ sid: string }>('POST', path, body)).sid,
    /** Creates something whose response is more than a SID. */
    post: <T>(path: string, body: Body) => well<T>('POST', path, body),
    put: (path: string, body: Body) => well('PUT', path, body),
    remove: (path: string) => well('DELETE', path),
  }
}

export type Api = ReturnType<typeof apiOf>

/** The SID of the service provider that a new installation contains. */
export const firstProvider = async (api: Api): Promise<string> => {
  const all = await api.get<{ service_provider_sid: string; name: string }[]>('/ServiceProviders')
  const provider = all.find(({ name }) => name === 'default service provider')
  if (!provider) throw new Error('The first service provider is gone.')
  return provider.service_provider_sid
}

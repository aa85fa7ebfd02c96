type Body = Record<string, unknown>

/** What a call answered, whatever it was. */
export interface Answer<T = unknown> {
  status: number
  body: T
}

/** Calls the API of a server as a program does. */
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

/** The API with one credential; what is refused is thrown. */
export const apiOf = (url: string, token: string) => {
  const well = async <T>(method: string, path: string, body?: Body): Promise<T> => {
    const answer = await request<T>(url, token, method, path, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    get: <T = Body>(path: string) => well<T>('GET', path),
    /** Adds a record; answers its sid. */
    add: async (path: string, body: Body = {}) => (await well<{ sid: string }>('POST', path, body)).sid,
    /** Adds what answers otherwise than with a sid. */
    post: <T>(path: string, body: Body) => well<T>('POST', path, body),
    put: (path: string, body: Body) => well('PUT', path, body),
    remove: (path: string) => well('DELETE', path),
  }
}

export type Api = ReturnType<typeof apiOf>

/** The sid of the provider that a new installation begins with. */
export const firstProvider = async (api: Api): Promise<string> => {
  const all = await api.get<{ service_provider_sid: string; name: string }[]>('/ServiceProviders')
  const provider = all.find(({ name }) => name === 'default service provider')
  if (!provider) throw new Error('The first service provider is gone.')
  return provider.service_provider_sid
}

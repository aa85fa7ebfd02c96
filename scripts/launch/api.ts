type Body = Record<string, unknown>

/** Any response of the API. */
export interface ApiResponse<T = unknown> {
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
): Promise<ApiResponse<T>> => {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T }
}

/** An API client with one credential; throws on a 4xx or 5xx response. */
export const createApiClient = (url: string, token: string) => {
  const requestOk = async <T>(method: string, path: string, body?: Body): Promise<T> => {
    const response = await request<T>(url, token, method, path, body)
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }
  return {
    get: <T = Body>(path: string) => requestOk<T>('GET', path),
    /** Creates a record; returns its SID. */
    add: async (path: string, body: Body = {}) => (await requestOk<{ sid: string }>('POST', path, body)).sid,
    /** Creates a record; returns the response body. */
    post: <T>(path: string, body: Body) => requestOk<T>('POST', path, body),
    put: (path: string, body: Body) => requestOk('PUT', path, body),
    remove: (path: string) => requestOk('DELETE', path),
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

/** Finds the SID of the service provider that every new installation contains. */
export const findDefaultProviderSid = async (api: ApiClient): Promise<string> => {
  const providers = await api.get<{ service_provider_sid: string; name: string }[]>('/ServiceProviders')
  const provider = providers.find(({ name }) => name === 'default service provider')
  if (!provider) throw new Error("The service provider 'default service provider' does not exist.")
  return provider.service_provider_sid
}

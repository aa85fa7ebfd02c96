/** A JSON schema of the API description, with the keywords that the proofs read. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  not?: Schema
  minimum?: number
  maximum?: number
}

export interface Parameter {
  in: 'path' | 'query'
  name: string
  required?: boolean
}

/** One operation of the API: a method on a path with `{placeholders}`. */
export interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  body?: Schema
}

interface OpenApiOperation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
}

/** Reads all operations from the API description of a running server, so that new routes are covered automatically. */
export const readOperations = async (url: string): Promise<Operation[]> => {
  const response = await fetch(`${url}/openapi.json`)
  if (!response.ok) throw new Error(`${url}/openapi.json answered ${response.status}`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, OpenApiOperation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema
      return { method: method.toUpperCase(), path, parameters, ...(body ? { body } : {}) }
    }),
  )
}

/** Fills in a path's placeholders; returns undefined if one of them has no value. */
export const fillPath = (path: string, valueOf: (name: string) => string | undefined): string | undefined => {
  let isComplete = true
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueOf(name)
    isComplete &&= value !== undefined
    return encodeURIComponent((value ?? '').toWellFormed())
  })
  return isComplete ? filled : undefined
}

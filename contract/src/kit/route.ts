/**
 * Definitions of API routes: method, path and the types of query, body and response. The types exist only at compile
 * time, so this file does not need zod.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The names of the `:parts` of a path, such as `account_sid` in `/Accounts/:account_sid`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamNames<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never

export type ParamsOf<Path extends string> = { [Param in ParamNames<Path>]: string }

/** The types of a route's query, JSON body and JSON response. */
export interface RouteTypes {
  query?: unknown
  body?: unknown
  response?: unknown
}

export interface Route<Path extends string = string, Types extends RouteTypes = RouteTypes> {
  readonly method: Method
  /** Relative to the API's base path. */
  readonly path: Path
  /** The status of a successful response: 200 and 201 with JSON, 204 without a body. */
  readonly status: 200 | 201 | 204
  /** One line for the API documentation. */
  readonly summary: string
  /** Works without a credential. */
  readonly isPublic?: boolean
  /** Never set at run time: carries the types of query, body and response. */
  readonly types?: Types
}

type RouteOptions = Partial<Pick<Route, 'isPublic'>>

const defaultStatus: Record<Method, Route['status']> = { GET: 200, POST: 201, PUT: 204, DELETE: 204 }

/** Defines a route. The default status depends on the method. */
export const defineRoute =
  <Types extends RouteTypes>() =>
  <const Path extends string>(
    method: Method,
    path: Path,
    summary: string,
    { status = defaultStatus[method], ...options }: RouteOptions & { status?: Route['status'] } = {},
  ): Route<Path, Types> => ({ method, path, summary, status, ...options })

export type QueryOf<R> =
  R extends Route<string, infer Types> ? (Types extends { query: infer Query } ? Query : undefined) : never
export type BodyOf<R> =
  R extends Route<string, infer Types> ? (Types extends { body: infer Body } ? Body : undefined) : never
export type ResponseOf<R> =
  R extends Route<string, infer Types> ? (Types extends { response: infer Response } ? Response : void) : never

/**
 * Fills in and encodes the `:parts` of a path. Throws if a part is missing, so that no request goes to a wrong path.
 */
export const fillPath = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/:(\w+)/g, (_, param: string) => {
    const value = params[param]
    if (!value) throw new Error(`no ${param} for ${path}`)
    return encodeURIComponent(value)
  })

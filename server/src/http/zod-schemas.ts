import type { FastifySchemaCompiler } from 'fastify'
import type { FastifySchemaControllerOptions, FastifySerializerCompiler } from 'fastify/types/schema'
import type * as z from 'zod'
import { toProblem } from '@trunkline/contract/kit/problem'
import { badRequest } from './problem'

const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // A missing body counts as an empty one.
    const result = schema.safeParse(httpPart === 'body' && (data === undefined || data === null) ? {} : data)
    if (result.success) return { value: result.data }
    const { msg, field } = toProblem(result.error)
    // The API responds to a malformed SID in the path without naming a field.
    return { error: httpPart === 'params' ? badRequest('Bad request') : badRequest(msg, field) }
  }

const compileSerializer: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(schema.parse(data))

/**
 * Validates requests and serializes responses with the zod schemas of the contract. Fastify's own compilers, which it
 * would load at start, are for JSON Schema; so are its types of these factories.
 */
export const zodSchemas = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => compileSerializer },
} as unknown as FastifySchemaControllerOptions

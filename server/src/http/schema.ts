import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema'
import type { z } from 'zod'
import { problemOf } from '@trunkline/contract/kit/problem'
import { badRequest } from './problem'

const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // No body at all means an empty one.
    const result = schema.safeParse(httpPart === 'body' && (data === undefined || data === null) ? {} : data)
    if (result.success) return { value: result.data }
    const { msg, field } = problemOf(result.error)
    // A malformed sid in the path is told as the interface tells it: without a field.
    return { error: httpPart === 'params' ? badRequest('Bad request') : badRequest(msg, field) }
  }

const compileSerializer: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(schema.parse(data))

/** Lets the zod shapes of the contract check what comes in and cut what goes out. */
export const useZodSchemas = (app: FastifyInstance): void => {
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
}

import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { fetchVariableErrors, readEnvSchema } from './env-schema'
import { toApplicationValues } from './values'

afterEach(() => vi.restoreAllMocks())

it.each(['', '  ', 'not a URL'])('requests no schema for the webhook URL %j', async (url) => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('unexpected request'))
  const values = toApplicationValues(undefined)
  values.call_hook.url = url
  expect(await fetchVariableErrors(new QueryClient(), values)).toEqual({})
  expect(fetchSpy).not.toHaveBeenCalled()
})

it('reads a schema that another server passes on unchecked', async () => {
  const schema = { A: null, B: { type: 'list', description: 5, enum: 'x' }, C: { type: 'number', description: 'c' } }
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(schema))
  const values = toApplicationValues(undefined)
  values.call_hook.url = 'https://example.com/calls'
  values.env_vars = { C: 'three' }
  expect(await fetchVariableErrors(new QueryClient(), values)).toEqual({ 'env_vars.C': expect.any(String) })
})

it.each([[null], [[]], ['x'], [5]])('reads %j as no schema', (schema) => expect(readEnvSchema(schema)).toBeNull())

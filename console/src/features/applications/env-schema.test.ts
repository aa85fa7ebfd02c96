import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { fetchVariableErrors } from './env-schema'
import { toApplicationValues } from './values'

afterEach(() => vi.restoreAllMocks())

it.each(['', '  ', 'not a URL'])('requests no schema for the webhook URL %j', async (url) => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('unexpected request'))
  const values = toApplicationValues(undefined)
  values.call_hook.url = url
  expect(await fetchVariableErrors(new QueryClient(), values)).toEqual({})
  expect(fetchSpy).not.toHaveBeenCalled()
})

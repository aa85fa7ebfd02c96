import { describe, expect, it } from 'vitest'
import { formRecordKey, isAffectedBy, listKey, recordKey, namedQueryKey } from './query-keys'

const sid = 'd1a2b3c4-0000-4000-8000-000000000000'

describe('isAffectedBy', () => {
  it.each([
    ['a list of the kind', 'account', listKey('account', []), true],
    ['a record of the kind', 'account', recordKey('account', sid), true],
    ['the form of the kind', 'account', formRecordKey('account', sid), true],
    ['a list of another kind, which may contain names', 'account', listKey('application', []), true],
    ['a record of another kind', 'api_key', recordKey('account', sid), true],
    // Its fields would keep the old values and get a new version, so a save would overwrite another user's change.
    ['the form of another kind', 'api_key', formRecordKey('account', sid), false],
    ['the capabilities of the server', 'account', namedQueryKey('server', 'capabilities'), false],
    ['the service providers, by another kind', 'account', namedQueryKey('service_provider', 'all'), false],
    ['the service providers, by their own kind', 'service_provider', namedQueryKey('service_provider', 'all'), true],
  ])('%s', (_, kind, queryKey, expected) => expect(isAffectedBy(kind, { queryKey })).toBe(expected))
})

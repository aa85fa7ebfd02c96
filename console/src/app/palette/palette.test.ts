import { describe, expect, it } from 'vitest'
import type { Actor } from '@trunkline/contract/policy/actor'
import { screens } from '../screens'
import { matchesQuery } from './actions'
import { createCallSearchItems, createCaptureSearchItems } from './call-search'
import { getSearchableKinds, sortByMatch } from './record-search'

describe('matching a text with a query', () => {
  it.each([
    ['Add carrier', '', true],
    ['Add carrier', 'CARR', true],
    ['Add carrier', 'ad ca', true],
    ['Phone numbers', 'num', true],
    ['Phone numbers', 'hone n', true],
    ['Add carrier', 'arr add', false],
    ['Add carrier', 'account', false],
  ])('%s for the query %j: %s', (text, query, isMatch) => {
    expect(matchesQuery(text, query)).toBe(isMatch)
  })
})

describe('search for calls in the palette', () => {
  const sid = '6f0d6e0c-2f0a-4d53-9d5c-0d2b8ed9f7a1'
  it.each([
    ['+1 (857) 555-0100', '8575550100'],
    ['(512) 555-0192', '5125550192'],
    ['0711/555 019', '711555019'],
    [' 555 ', '555'],
    [sid.toUpperCase(), sid],
  ])('offers to search the calls for %j', (query, searchText) => {
    expect(createCallSearchItems(query)).toMatchObject([
      { label: `Search calls for ${searchText}`, href: `/internal/recent-calls?date=30&text=${searchText}` },
    ])
  })

  it('offers to search for a Call-ID or a trunk if the server searches these', () => {
    expect(createCallSearchItems('571fdef7@atlas', true)).toMatchObject([
      { href: '/internal/recent-calls?date=30&text=571fdef7%40atlas' },
    ])
    expect(createCallSearchItems('Bluewater', true)).toMatchObject([{ label: 'Search calls for Bluewater' }])
  })

  it.each(['', '55', 'acme', '555 acme', '()', '192.0.2.10', sid.slice(1)])('offers no search for %j', (query) => {
    expect(createCallSearchItems(query)).toEqual([])
  })
})

describe('search for captured SIP in the palette', () => {
  it.each([
    ['571fdef7@atlas', true, ['/internal/recent-calls/captures?call_id=571fdef7%40atlas']],
    ['571fdef7@atlas', false, ['/internal/recent-calls/captures?call_id=571fdef7%40atlas']],
    ['+44 20 7946 0123', true, ['/internal/recent-calls/captures?text=2079460123']],
    ['+44 20 7946 0123', false, []],
    ['acme', true, []],
  ])('searches captures for %j, server lists captures: %s, links: %j', (query, canList, hrefs) => {
    expect(createCaptureSearchItems(query, canList).map(({ href }) => href)).toEqual(hrefs)
  })
})

describe('search for records in the palette', () => {
  const admin: Actor = { scope: 'admin' }
  const account: Actor = { scope: 'account', service_provider_sid: 'sp', account_sid: 'acc' }
  const findPhoneNumberKind = (actor: Actor) =>
    getSearchableKinds(actor, 'sp').find(({ kind }) => kind === 'phone_number')

  it.each([
    ['+1 (857) 555-0100', '8575550100'],
    ['020 7946 0123', '2079460123'],
    ['555.0100', '5550100'],
  ])('finds a phone number written as %s', (query, filter) => {
    expect(findPhoneNumberKind(admin)?.buildQuery(query)).toEqual({ filter, service_provider_sid: 'sp' })
    expect(findPhoneNumberKind(account)?.buildQuery(query)).toEqual({ filter })
  })

  it.each(['acme', '555 acme', '', '()'])('does not search the phone numbers for %j', (query) => {
    expect(findPhoneNumberKind(admin)?.buildQuery(query)).toBeUndefined()
  })

  it("searches only the applications of an account user's account", () => {
    const applications = getSearchableKinds(account, 'sp').find(({ kind }) => kind === 'application')
    expect([applications?.list.path, applications?.params]).toEqual([
      '/Accounts/:account_sid/Applications',
      { account_sid: 'acc' },
    ])
  })

  it.each([
    [
      'har',
      ['Orchard Valley', 'Harbour Telecom', 'Juniper (Harrow)'],
      ['Harbour Telecom', 'Juniper (Harrow)', 'Orchard Valley'],
    ],
    ['AL', ['Cardinal', 'Alder', 'Albion'], ['Alder', 'Albion', 'Cardinal']],
    ['alder', ['Alder front', 'Alder', 'Balder'], ['Alder', 'Alder front', 'Balder']],
    ['alder f', ['Balder frames', 'Alder front'], ['Alder front', 'Balder frames']],
  ])('shows records that start with %j before other matches', (text, titles, sortedTitles) => {
    expect(sortByMatch(titles, (title) => title, text)).toEqual(sortedTitles)
  })

  it('searches every kind of record that has its own screen', () => {
    const kinds = screens.flatMap(({ kind }) => kind ?? [])
    expect(getSearchableKinds(admin, 'sp').map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds))
  })

  it.each([
    ['a label with its vendor', 'speech_credential', { vendor: 'aws', label: 'boston' }, 'AWS boston'],
    ['a vendor without a label', 'speech_credential', { vendor: 'rimelabs', label: null }, 'RimeLabs'],
    ['the username of a client', 'client', { username: 'lobby' }, 'lobby'],
    ['the domain of a tenant', 'ms_teams_tenant', { tenant_fqdn: 'acme.example.com' }, 'acme.example.com'],
  ])('titles a record: %s', (_, searchedKind, row, title) => {
    expect(
      getSearchableKinds(admin, 'sp')
        .find(({ kind }) => kind === searchedKind)
        ?.getTitle(row),
    ).toBe(title)
  })

  it('searches the users of the provider for an administrator, and leaves the filter to the server for others', () => {
    const findUserKind = (actor: Actor) => getSearchableKinds(actor, 'sp').find(({ kind }) => kind === 'user')
    expect(findUserKind(admin)?.buildQuery('nora')).toEqual({ name: 'nora', service_provider_sid: 'sp' })
    expect(findUserKind(account)?.buildQuery('nora')).toEqual({ name: 'nora' })
  })
})

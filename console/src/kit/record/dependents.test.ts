import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFeatureFlags } from '../../lib/feature-flags'
import { fetchDependents, groupDependents, fetchDependentTeamsTenants } from './dependents'

const numberRow = (index: number, account_sid: string) => ({
  phone_number_sid: `n${index}`,
  number: `1555000${index}`,
  account_sid,
})

/** A server that supports no filters and pages only tenants; its pages hold tenants of all accounts. */
const rowsByPath: Record<string, unknown[]> = {
  '/v1/PhoneNumbers': [numberRow(1, 'a'), numberRow(2, 'b'), numberRow(3, 'a')],
  '/v1/MicrosoftTeamsTenants': [
    { ms_teams_tenant_sid: 't1', tenant_fqdn: 'one.example.com', account_sid: 'a', application_sid: null },
    { ms_teams_tenant_sid: 't2', tenant_fqdn: 'two.example.com', account_sid: 'b', application_sid: 'x' },
  ],
}
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const rows = rowsByPath[path]
    const isPaged = path.endsWith('Tenants') && new URLSearchParams(query).has('page')
    const body = isPaged && rows ? { total: rows.length, page: 1, page_size: 20, data: rows } : rows
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end(body ? JSON.stringify(body) : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1` })
})
afterAll(() => void server.close())

const fetchNumbersOf = (account_sid: string) =>
  fetchDependents({
    kind: 'phone_number',
    list: phoneNumber.list,
    query: { account_sid },
    matches: (row) => row.account_sid === account_sid,
    title: (row) => String(row.number),
  })

describe('the dependents of a record', () => {
  it('are picked from the full list', async () => {
    expect(await fetchNumbersOf('a')).toEqual([
      { kind: 'phone_number', sid: 'n1', title: '15550001', total: 2 },
      { kind: 'phone_number', sid: 'n3', title: '15550003', total: 2 },
    ])
    expect(await fetchDependentTeamsTenants('application_sid', 'x')).toMatchObject([
      { sid: 't2', title: 'two.example.com' },
    ])
  })

  it('are empty if the server does not have the list', async () => {
    delete rowsByPath['/v1/MicrosoftTeamsTenants']
    expect(await fetchDependentTeamsTenants('account_sid', 'a')).toEqual([])
  })

  it('are grouped by kind, with links and the total number', () => {
    const groups = groupDependents([
      { kind: 'phone_number', sid: 'n1', title: '15550001', total: 30 },
      { kind: 'phone_number', sid: 'n2', title: '15550002', total: 30 },
      { kind: 'api_key', sid: 'k', title: 'key', href: '/internal/accounts/a/edit#k' },
    ])
    expect(groups).toMatchObject([
      {
        label: 'Phone numbers',
        count: 30,
        links: [{ label: '15550001', href: '/internal/phone-numbers/n1' }, {}],
      },
      { label: 'API keys', count: 1, links: [{ label: 'key', href: '/internal/accounts/a/edit#k' }] },
    ])
  })
})

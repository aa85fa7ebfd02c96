import { fireEvent, screen } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseCsv } from '../src/lib/csv'
import { useBackend, type TestUser } from './render'

const { render, requestAs, testData } = useBackend()

const downloads: Blob[] = []
beforeEach(() => {
  localStorage.setItem('activeServiceProvider', testData().providers.north)
  downloads.length = 0
  // jsdom does not implement downloads
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => (downloads.push(file as Blob), 'blob:'))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

/** A list, the name of its records, the user who exports it, the number of exported rows, and one expected cell. */
type List = [path: string, recordsName: string, as: TestUser, rowCount: number, cell: [column: string, value: string]]

const lists: List[] = [
  ['users', 'users', 'admin', 5, ['email', 'acme@example.com']],
  ['accounts', 'accounts', 'provider', 2, ['sip_realm', 'acme.example.com']],
  ['applications', 'applications', 'account', 1, ['name', 'acme app']],
  ['clients', 'SIP clients', 'account', 1, ['username', 'acme-desk']],
  ['carriers', 'carriers', 'provider', 3, ['name', 'North shared']],
  ['carriers?text=shared', 'carriers', 'provider', 1, ['inbound_gateways', '1']],
  ['speech-services', 'speech services', 'provider', 3, ['vendor', 'google']],
  ['ms-teams-tenants', 'Microsoft Teams tenants', 'account', 1, ['tenant_fqdn', 'acme.teams.example.com']],
  ['least-cost-routing', 'routing tables', 'admin', 2, ['name', 'acme routes']],
]

describe('exporting a list as CSV', () => {
  it.each(lists)('/internal/%s exports %s for %s', async (path, recordsName, as, rowCount, [column, value]) => {
    await requestAs('admin', 'PUT', `/ServiceProviders/${testData().providers.north}`, {
      ms_teams_fqdn: 'teams.example.com',
    })
    await requestAs('north', 'PUT', `/VoipCarriers/${testData().shared.north.voip_carrier}`, {
      smpp_password: 'Hidden-1',
    })
    await render(`/internal/${path}`, { as })
    fireEvent.click(await screen.findByLabelText(`Export ${recordsName} as CSV`))
    expect(
      await screen.findByText((text) => text.startsWith(`${messages.exported(rowCount, '').trim()} `)),
    ).toBeTruthy()
    const [header, ...lines] = parseCsv(await downloads[0]!.text())
    expect(lines).toHaveLength(rowCount)
    const columnIndex = header!.cells.indexOf(column)
    expect(lines.map(({ cells }) => cells[columnIndex])).toContain(value)
    expect(header!.cells.filter((name) => /password|secret|token/.test(name))).toEqual([])
  })
})

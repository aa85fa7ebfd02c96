import { fireEvent, screen } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseCsv } from '../src/lib/csv'
import { useBackend, type Person } from './render'

const { render, ask, world } = useBackend()

const saved: Blob[] = []
beforeEach(() => {
  localStorage.setItem('activeServiceProvider', world().providers.north)
  saved.length = 0
  // jsdom does not implement downloads
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => (saved.push(file as Blob), 'blob:'))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

/** The path of a list, its records' name, the user, the number of exported rows, and an expected column and value. */
type List = [path: string, many: string, as: Person, rows: number, some: [string, string]]

const lists: List[] = [
  ['users', 'users', 'admin', 5, ['email', 'acme@example.com']],
  ['accounts', 'accounts', 'provider', 2, ['sip_realm', 'acme.example.com']],
  ['applications', 'applications', 'account', 1, ['name', 'acme app']],
  ['clients', 'SIP clients', 'account', 1, ['username', 'acme-desk']],
  ['carriers', 'carriers', 'provider', 3, ['name', 'North shared']],
  ['carriers?text=shared', 'carriers', 'provider', 1, ['inbound_gateways', '1']],
  ['speech-services', 'speech services', 'provider', 3, ['vendor', 'google']],
  ['ms-teams-tenants', 'Microsoft Teams tenants', 'account', 1, ['tenant_fqdn', 'acme.teams.example.com']],
  ['least-cost-routing', 'outbound call routes', 'admin', 2, ['name', 'acme routes']],
]

describe('exporting a list as CSV', () => {
  it.each(lists)('%s: %s, by %s', async (path, many, as, rows, [column, value]) => {
    await ask('admin', 'PUT', `/ServiceProviders/${world().providers.north}`, { ms_teams_fqdn: 'teams.example.com' })
    await ask('north', 'PUT', `/VoipCarriers/${world().shared.north.voip_carrier}`, { smpp_password: 'Hidden-1' })
    await render(`/internal/${path}`, { as })
    fireEvent.click(await screen.findByLabelText(`Export ${many} as CSV`))
    expect(await screen.findByText((words) => words.startsWith(`${messages.exported(rows, '').trim()} `))).toBeTruthy()
    const [head, ...lines] = parseCsv(await saved[0]!.text())
    expect(lines).toHaveLength(rows)
    const at = head!.cells.indexOf(column)
    expect(lines.map(({ cells }) => cells[at])).toContain(value)
    expect(head!.cells.filter((name) => /password|secret|token/.test(name))).toEqual([])
  })
})

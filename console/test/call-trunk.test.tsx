import { cleanup, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useBackend, type Person } from './render'

const { render, world, backend, ask } = useBackend()

/** Writes a call over this trunk, opens it, and returns the value beside 'Trunk'. */
const openOver = async (trunk: string, as: Person) => {
  const { acme, providers } = world()
  const at = Date.now() - 1000
  const call_sid = `c-${at}-${trunk}`
  await backend().services.callHistory.write('cdrs', [
    {
      tags: { account_sid: acme.account, service_provider_sid: providers.north, trunk, direction: 'inbound' },
      fields: { call_sid, from: '16175550192', to: '18575550100' },
      time: BigInt(at) * 1_000_000n,
    },
  ])
  const date = encodeURIComponent(new Date(at).toISOString())
  await render(`/internal/recent-calls?date=${date}&open=${call_sid}`, { as })
  return (await screen.findByText('Trunk', { selector: 'dt' })).nextElementSibling!
}

/** Waits until the carriers of that name have loaded. */
const settled = async (page: Element) => {
  await new Promise((done) => setTimeout(done, 300))
  return page.querySelector('a')
}

describe('the trunk of a call', () => {
  it('links to the carrier of that name, of the account or its provider', async () => {
    await openOver('acme trunk', 'provider')
    expect((await screen.findByRole('link', { name: 'acme trunk' })).getAttribute('href')).toBe(
      `/internal/carriers/${world().acme.voip_carrier}/edit`,
    )
    cleanup()
    await openOver('North shared', 'provider')
    expect(await screen.findByRole('link', { name: 'North shared' })).toBeTruthy()
  })

  it('links to the carrier for users of its account too', async () => {
    await openOver('acme trunk', 'account')
    expect(await screen.findByRole('link', { name: 'acme trunk' })).toBeTruthy()
  })

  it('is plain text if an account user may not open the carrier', async () => {
    const shared = await openOver('North shared', 'account')
    expect(shared.textContent).toBe('North shared')
    expect(await settled(shared)).toBeNull()
  })

  it('is plain text if the carrier belongs to another account or does not exist', async () => {
    expect(await settled(await openOver('bolt trunk', 'provider'))).toBeNull()
  })

  it('is plain text if two carriers have the name', async () => {
    const { providers } = world()
    await ask('north', 'POST', `/ServiceProviders/${providers.north}/VoipCarriers`, { name: 'acme trunk' })
    expect(await settled(await openOver('acme trunk', 'provider'))).toBeNull()
  })
})

import { cleanup, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useBackend, type Person } from './render'

const { render, world, backend, ask } = useBackend()

/** Opens the only call of an account, that went over this trunk; answers what stands beside 'Trunk'. */
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

/** Time enough for the carriers of the name to have come. */
const settled = async (page: Element) => {
  await new Promise((done) => setTimeout(done, 300))
  return page.querySelector('a')
}

describe('the trunk of a call', () => {
  it("leads to its account's carrier of that name, and to its provider's", async () => {
    await openOver('acme trunk', 'provider')
    expect((await screen.findByRole('link', { name: 'acme trunk' })).getAttribute('href')).toBe(
      `/internal/carriers/${world().acme.voip_carrier}/edit`,
    )
    cleanup()
    await openOver('North shared', 'provider')
    expect(await screen.findByRole('link', { name: 'North shared' })).toBeTruthy()
  })

  it('leads users of its account there too', async () => {
    await openOver('acme trunk', 'account')
    expect(await screen.findByRole('link', { name: 'acme trunk' })).toBeTruthy()
  })

  it('is a name only where users of an account may not open it', async () => {
    const shared = await openOver('North shared', 'account')
    expect(shared.textContent).toBe('North shared')
    expect(await settled(shared)).toBeNull()
  })

  it("is a name only where the carrier is another account's, or there is none", async () => {
    expect(await settled(await openOver('bolt trunk', 'provider'))).toBeNull()
  })

  it('is a name only where two carriers have it', async () => {
    const { providers } = world()
    await ask('north', 'POST', `/ServiceProviders/${providers.north}/VoipCarriers`, { name: 'acme trunk' })
    expect(await settled(await openOver('acme trunk', 'provider'))).toBeNull()
  })
})

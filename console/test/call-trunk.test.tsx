import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { requestUrl } from './hold-requests'
import { useBackend, type TestUser } from './render'

const { render, testData, backend, requestAs } = useBackend()

let fetchSpy: MockInstance<typeof fetch>
beforeEach(() => {
  fetchSpy = vi.spyOn(globalThis, 'fetch')
})
afterEach(() => fetchSpy.mockRestore())

/** The responses to the requests for the carriers of the trunk's name. */
const carrierResponses = () =>
  fetchSpy.mock.results
    .filter((_, index) => /VoipCarriers\?.*name=/.test(requestUrl(fetchSpy.mock.calls[index]![0])))
    .map(({ value: response }) => response as Promise<Response>)

/** Writes a call over this trunk, opens it, and returns the value beside 'Trunk'. */
const openCallOverTrunk = async (trunk: string, as: TestUser) => {
  const { acme, providers } = testData()
  const timeMs = Date.now() - 1000
  const call_sid = `c-${timeMs}-${trunk}`
  await backend().services.callHistory.writePoints('cdrs', [
    {
      tags: { account_sid: acme.account, service_provider_sid: providers.north, trunk, direction: 'inbound' },
      fields: { call_sid, from: '16175550192', to: '18575550100' },
      timeNs: BigInt(timeMs) * 1_000_000n,
    },
  ])
  const date = encodeURIComponent(new Date(timeMs).toISOString())
  await render(`/internal/recent-calls?date=${date}&open=${call_sid}`, { as })
  return (await screen.findByText('Trunk', { selector: 'dt' })).nextElementSibling as HTMLElement
}

/** Waits until the carriers of that name have loaded and are rendered. */
const findLinkAfterLoading = async (trunkValue: Element) => {
  await waitFor(() => expect(carrierResponses()).not.toHaveLength(0))
  const response = await carrierResponses()[0]!
  await waitFor(() => expect(response.bodyUsed).toBe(true))
  // lets the console parse the body and render the result
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  return trunkValue.querySelector('a')
}

describe('the trunk of a call', () => {
  it('links to the carrier of that name, of the account or its provider', async () => {
    const ownTrunk = await openCallOverTrunk('acme trunk', 'provider')
    expect((await within(ownTrunk).findByRole('link', { name: 'acme trunk' })).getAttribute('href')).toBe(
      `/internal/carriers/${testData().acme.voip_carrier}`,
    )
    cleanup()
    const sharedTrunk = await openCallOverTrunk('North shared', 'provider')
    expect(await within(sharedTrunk).findByRole('link', { name: 'North shared' })).toBeTruthy()
  })

  it('links to the carrier for users of its account too', async () => {
    // also shows that `findLinkAfterLoading` waits long enough
    expect((await findLinkAfterLoading(await openCallOverTrunk('acme trunk', 'account')))?.textContent).toBe(
      'acme trunk',
    )
  })

  it('is plain text if an account user may not open the carrier', async () => {
    const trunkValue = await openCallOverTrunk('North shared', 'account')
    expect(trunkValue.textContent).toBe('North shared')
    expect(await findLinkAfterLoading(trunkValue)).toBeNull()
  })

  it('is plain text if the carrier belongs to another account or does not exist', async () => {
    expect(await findLinkAfterLoading(await openCallOverTrunk('bolt trunk', 'provider'))).toBeNull()
  })

  it('is plain text if two carriers have the name', async () => {
    const { providers } = testData()
    await requestAs('north', 'POST', `/ServiceProviders/${providers.north}/VoipCarriers`, { name: 'acme trunk' })
    expect(await findLinkAfterLoading(await openCallOverTrunk('acme trunk', 'provider'))).toBeNull()
  })
})

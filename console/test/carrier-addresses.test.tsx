import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useBackend, type TestUser } from './render'

const { render, requestAs, testData } = useBackend()

const readAddresses = async (title: string) => {
  const region = await screen.findByRole('region', { name: title })
  expect(within(region).getByText('Ask your carrier to allow these addresses.')).toBeTruthy()
  return within(region)
    .getAllByRole('listitem')
    .map((item) => item.textContent.trim())
}

beforeAll(async () => {
  const service_provider_sid = testData().providers.north
  await requestAs('admin', 'POST', '/Sbcs', { ipv4: '192.0.2.1' })
  await requestAs('admin', 'POST', '/Sbcs', { ipv4: '192.0.2.2', port: 5080, service_provider_sid })
  await requestAs('admin', 'POST', '/Smpps', { ipv4: '192.0.2.3', port: 2775 })
  await requestAs('admin', 'POST', '/Smpps', { ipv4: '192.0.2.4', port: 3550, use_tls: 1 })
})
beforeEach(() => localStorage.setItem('activeServiceProvider', testData().providers.north))

describe('the addresses that a carrier must allow', () => {
  it.each<TestUser>(['admin', 'provider', 'account'])(
    'are shown beside the carrier form, for the selected tab, to %s',
    async (as) => {
      const { user } = await render('/internal/carriers/add', { as })
      expect(await readAddresses('Signalling addresses')).toEqual(['192.0.2.2:5080'])
      expect(screen.queryByText('SMPP addresses')).toBeNull()
      await user.click(screen.getByRole('tab', { name: 'SMS' }))
      // the provider has none of its own, so those of the platform are shown
      expect(await readAddresses('SMPP addresses')).toEqual(['192.0.2.3:2775', '192.0.2.4:3550 TLS'])
      expect(screen.queryByText('Signalling addresses')).toBeNull()
    },
  )
})

import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages } from '@trunkline/contract/messages/ms-teams-tenant'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const findOption = (name: string) => screen.findByRole('option', { name, hidden: true })
const selectOption = async (user: UserEvent, field: string, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: field }))
  await user.click(await findOption(name))
}
const typeDomain = async (user: UserEvent, text: string) => {
  const input = await screen.findByLabelText('Domain name', { exact: false })
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
}
const listTenants = () => requestAs<MsTeamsTenant[]>('north', 'GET', '/MicrosoftTeamsTenants')

describe('Microsoft Teams tenants', () => {
  it('require a domain of the provider', async () => {
    await render('/internal/ms-teams-tenants', { as: 'provider' })
    await expectText(messages.noDomain('Northwind'))
    expect(screen.queryByText('Add Microsoft Teams tenant')).toBeNull()
  })

  describe('of a provider with a domain', () => {
    beforeEach(async () => {
      await requestAs('north', 'PUT', `/ServiceProviders/${testData().providers.north}`, {
        ms_teams_fqdn: 'teams.north.example',
      })
    })

    it('are listed with account and application', async () => {
      await render('/internal/ms-teams-tenants', { as: 'provider' })
      const row = (await screen.findByRole('link', { name: 'acme.teams.example.com' })).closest('tr')!
      expect(row.textContent).toContain('acme')
      expect(row.textContent).toContain('None')
    })

    it('are added, and the new one is opened', async () => {
      const { user } = await render('/internal/ms-teams-tenants/add', { as: 'provider' })
      await typeDomain(user, 'desk.example.com')
      await selectOption(user, 'Account', 'bolt')
      await selectOption(user, 'Application', 'bolt app')
      await user.click(screen.getByText('Save'))
      await expectText(messages.added)
      await screen.findByRole('heading', { name: 'Edit Microsoft Teams tenant' })
      const createdTenant = (await listTenants()).find(({ tenant_fqdn }) => tenant_fqdn === 'desk.example.com')
      expect(createdTenant).toMatchObject({ account_name: 'bolt', application_name: 'bolt app' })
    })

    it('refuse a duplicate domain', async () => {
      const { user } = await render(`/internal/ms-teams-tenants/${testData().acme.ms_teams_tenant}/edit`, {
        as: 'account',
      })
      await typeDomain(user, 'bolt.teams.example.com')
      await user.click(screen.getByText('Save'))
      await expectText(messages.duplicateDomain)
    })

    it('are deleted after confirmation', async () => {
      const { user } = await render('/internal/ms-teams-tenants', { as: 'provider' })
      await user.click(await screen.findByRole('button', { name: 'Delete acme.teams.example.com' }))
      await expectText(messages.confirmRemoval('acme.teams.example.com'))
      await user.click(await screen.findByText('Delete'))
      await expectText(messages.removed('acme.teams.example.com'))
    })
  })
})

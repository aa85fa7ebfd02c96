import { messages as account } from '../../contract/src/messages/account'
import { messages as apiKey } from '../../contract/src/messages/api-key'
import { messages as application } from '../../contract/src/messages/application'
import { messages as bucket } from '../../contract/src/messages/bucket'
import { messages as general } from '../../contract/src/messages/general'
import { findDefaultProviderSid } from '../../scripts/launch/api'
import { startBucket } from '../support/bucket'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs } from '../../scripts/launch/users'
import { selectOption, heading, deleteRecord, clickSave } from '../support/screen'
import { expect, test } from '../support/test'

const editPath = (sid: string) => `/internal/accounts/${sid}/edit`

const defineAccountFormTests = () => {
  test('an account can be added, saved and deleted', async ({ page, server, api, admin }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    await api.add('/Accounts', { name: 'Taken', service_provider_sid, sip_realm: 'taken.example.com' })
    await openAs(page, server, admin, '/internal/accounts/add')
    const name = page.getByLabel('Account name')
    await name.fill('Taken')
    await clickSave(page)
    await expectMessage(page, account.duplicateName)
    await name.fill('Alder')
    await page.getByLabel('SIP realm').fill('taken.example.com')
    await clickSave(page)
    await expectMessage(page, account.duplicateSipRealm)
    await page.getByLabel('SIP realm').fill('alder.example.com')
    await clickSave(page)
    await expectMessage(page, account.added)
    await expect(heading(page, 'Edit account')).toBeVisible()
    await name.fill('Birch')
    await clickSave(page)
    await expectMessage(page, account.saved)
    await deleteRecord(page, 'Birch')
    await expectMessage(page, account.removed('Birch'))
  })
}

const defineAccountPanelTests = () => {
  test('an account page shows messages about the trial, secret, API keys and bucket', async ({
    page,
    server,
    api,
    admin,
  }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    const bucketServer = await startBucket()
    try {
      const sid = await api.add('/Accounts', { name: 'Worn', service_provider_sid, plan_type: 'free', is_active: 0 })
      await openAs(page, server, admin, editPath(sid))
      await expectMessage(page, account.trialExpired)
      await page.getByRole('button', { name: 'Generate a new secret' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Generate' }).click()
      await expectMessage(page, account.secretGenerated)

      await page.getByRole('button', { name: 'Create API key' }).click()
      await page.getByRole('dialog', { name: 'Create API key' }).getByRole('button', { name: 'Create' }).click()
      await expectMessage(page, apiKey.added)
      await page.getByRole('dialog', { name: 'New API key' }).getByRole('button', { name: 'Done' }).click()
      await expectMessage(page, apiKey.neverUsed, () =>
        page.getByRole('table', { name: 'API keys' }).getByText(apiKey.neverUsed),
      )
      await page.getByRole('button', { name: /^Delete key ending in/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expectMessage(page, apiKey.removed)

      await selectOption(page, 'Storage vendor', 'Google Cloud Storage')
      const invalidKeyFile = { name: 'key.json', mimeType: 'application/json', buffer: Buffer.from('nonsense') }
      await page.getByLabel('Service key file').setInputFiles(invalidKeyFile)
      await expectMessage(page, bucket.serviceKey.notJson)
      await selectOption(page, 'Storage vendor', 'S3 compatible')
      for (const [label, value] of [
        ['Endpoint', bucketServer.endpoint],
        ['Bucket name', 'recordings'],
        ['Access key ID', 'S3RVER'],
        ['Secret access key', 'S3RVER'],
      ] as const)
        await page.getByLabel(label).and(page.locator('input')).fill(value)
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await expectMessage(page, bucket.valid)
    } finally {
      await bucketServer.stop()
    }
  })
}

const defineAccountUserTests = () => {
  test('account users get messages about restrictions and the deletion of their account', async ({
    page,
    server,
    api,
  }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Leaving', service_provider_sid })
    const otherAccountSid = await api.add('/Accounts', { name: 'Next door', service_provider_sid })
    const tenant = { service_provider_sid, account_sid }
    await openAs(page, server, await addUser(server, 'vera', { ...tenant, isViewOnly: true }), editPath(account_sid))
    await expectMessage(page, general.mayNotChange('Account'))
    await openAs(page, server, await addUser(server, 'lee', tenant))
    await expectMessage(page, account.mayNotListAllAccounts)
    await page.goto(editPath(otherAccountSid))
    await expectMessage(page, application.noAccess)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectMessage(page, account.removeOwn.confirmationPhrase)
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    await dialog.getByLabel('Delete message').fill('delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expectMessage(page, account.removeOwn.wrongPhrase)
  })
}

const defineApplicationTests = () => {
  test('an application can be added, saved and deleted', async ({ page, server, api, admin }) => {
    const account_sid = await api.add('/Accounts', {
      name: 'Cedar',
      service_provider_sid: await findDefaultProviderSid(api),
    })
    const hook = { url: 'https://cedar.example.com/call' }
    await api.add('/Applications', { name: 'Taken desk', account_sid, call_hook: hook, call_status_hook: hook })
    await openAs(page, server, admin, '/internal/applications/add')
    const name = page.getByLabel('Application name')
    await name.fill('Taken desk')
    await selectOption(page, 'Account', 'Cedar')
    await page.getByRole('textbox', { name: 'Calling webhook' }).fill(hook.url)
    await page.getByRole('textbox', { name: 'Call status webhook' }).fill(hook.url)
    await clickSave(page)
    await expectMessage(page, application.duplicateName)
    await name.fill('Front desk')
    await clickSave(page)
    await expectMessage(page, application.added)
    await page.getByRole('link', { name: 'Edit Front desk' }).click()
    await name.fill('Back desk')
    await clickSave(page)
    await expectMessage(page, application.saved)
    await deleteRecord(page, 'Back desk')
    await expectMessage(page, application.removed('Back desk'))
  })
}

/** Messages about accounts, their API keys and buckets, and applications. */
export const defineAccountTests = () => {
  defineAccountFormTests()
  defineAccountPanelTests()
  defineAccountUserTests()
  defineApplicationTests()
}

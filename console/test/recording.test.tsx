import { screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@trunkline/contract/shapes/account'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSecretEncryption } from '../../server/src/secrets/encryption'
import { s3Key, startS3 } from '../../server/test/external/s3-double'
import { useBackend, type TestUser } from './render'

const { render, requestAs, testData, backend } = useBackend({ bucketPrivateTargets: true })

let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

const accountPath = () => `/Accounts/${testData().accounts.acme}`
const readAccount = () => requestAs<Account>('admin', 'GET', accountPath())
beforeEach(() =>
  requestAs('admin', 'PUT', accountPath(), { bucket_credential: { vendor: 'none' }, record_all_calls: 0 }),
)

const openForm = (as: TestUser = 'north') => render(`/internal/accounts/${testData().accounts.acme}/edit`, { as })
/** Finds a field by its label, which is faster than by role in a long form. */
const findField = (name: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`))
const replaceText = async (user: UserEvent, name: string, value: string) => {
  await user.clear(await findField(name))
  await user.click(await findField(name))
  await user.paste(value)
}
const findButton = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const selectOption = async (user: UserEvent, name: string, value: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  const listbox = within(screen.getByRole('listbox', { name, hidden: true }))
  await user.click(await listbox.findByRole('option', { name: value, hidden: true }))
}
const readOptionTexts = async (user: UserEvent, name: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  const listbox = within(screen.getByRole('listbox', { name, hidden: true }))
  const texts = listbox.getAllByRole('option', { hidden: true }).map(({ textContent }) => textContent)
  await user.keyboard('{Escape}')
  return texts
}
const saveAccount = async (user: UserEvent) => {
  await user.click(await findButton('Save'))
  expect(await screen.findByText('Account updated successfully')).toBeTruthy()
}

const s3Credential = () => ({ vendor: 's3_compatible', name: 'recordings', endpoint: s3.endpoint, ...s3Key })
const longSecret = 'a secret of some length'

describe('call recording', () => {
  it('tests and saves a bucket', async () => {
    const { user } = await openForm('acme')
    await selectOption(user, 'Storage vendor', 'S3 compatible')
    await replaceText(user, 'Endpoint', s3.endpoint)
    await replaceText(user, 'Bucket name', 'elsewhere')
    await replaceText(user, 'Access key ID', s3Key.access_key_id)
    expect((await findButton('Test')).disabled).toBe(true)
    await replaceText(user, 'Secret access key', longSecret)
    expect((await findButton('Test')).disabled).toBe(false)

    await user.click(await findButton('Test'))
    const reason = 'The test file could not be written to the bucket. This bucket does not exist.'
    expect(await screen.findByText(reason)).toBeTruthy()

    await replaceText(user, 'Bucket name', 'recordings')
    expect(screen.queryByText(reason)).toBeNull()
    await user.click(await findButton('Test'))
    expect(await screen.findByText('Bucket Credential is valid.')).toBeTruthy()

    await saveAccount(user)
    const secret_access_key = 'a secrXXXXXXXXXXXXXXXXX'
    expect(await readAccount()).toMatchObject({ bucket_credential: { ...s3Credential(), secret_access_key } })
    // two tests, each with the vendor's SDK
  }, 60_000)

  it('saves format and tags', async () => {
    await requestAs('admin', 'PUT', accountPath(), { bucket_credential: s3Credential() })
    const { user } = await openForm()
    await selectOption(user, 'Recording format', 'wav')
    await user.click(await findField('Record all calls'))
    await user.click(await findButton('Add tag'))
    expect((await findButton('Test')).disabled).toBe(true)
    await replaceText(user, 'Tag name', 'customer')
    await replaceText(user, 'Tag value', 'acme')
    expect((await findButton('Test')).disabled).toBe(false)
    await saveAccount(user)
    expect(await readAccount()).toMatchObject({
      record_all_calls: 1,
      record_format: 'wav',
      bucket_credential: { tags: [{ Key: 'customer', Value: 'acme' }] },
    })
  })

  it('keeps an unchanged secret, and never shows it', async () => {
    const bucket_credential = { ...s3Credential(), secret_access_key: longSecret, tags: [{ Key: 'a', Value: 'b' }] }
    await requestAs('admin', 'PUT', accountPath(), { bucket_credential })
    const { user } = await openForm()
    expect((await findField('Secret access key')).value).toBe('')
    expect((await findField('Secret access key')).placeholder).toBe('a secr••••••••')
    await replaceText(user, 'Bucket name', 'recordings-2')
    await user.click(await findButton('Test'))
    // the server tests the saved credential, not the one in the form
    expect(await screen.findByText('The saved credential was tested, not your changes.', { exact: false })).toBeTruthy()
    await user.click(await findButton('Delete tag 1'))
    await saveAccount(user)
    const { tags: _, ...credentialWithoutTags } = bucket_credential
    expect((await readAccount()).bucket_credential).toEqual({
      ...credentialWithoutTags,
      name: 'recordings-2',
      secret_access_key: 'a secrXXXXXXXXXXXXXXXXX',
    })
  })

  it('masks a short secret completely', async () => {
    await requestAs('admin', 'PUT', accountPath(), { bucket_credential: s3Credential() })
    await openForm()
    expect((await findField('Secret access key')).placeholder).toBe('••••••••')
  })

  it('is turned off together with its bucket', async () => {
    await requestAs('admin', 'PUT', accountPath(), { bucket_credential: s3Credential(), record_all_calls: 1 })
    const { user } = await openForm()
    await selectOption(user, 'Storage vendor', 'None')
    expect(screen.queryByRole('checkbox', { name: 'Record all calls' })).toBeNull()
    await saveAccount(user)
    expect(await readAccount()).toMatchObject({ record_all_calls: 0, bucket_credential: null })
  })

  it('is left alone if the server cannot decrypt its bucket', async () => {
    const { accounts } = backend().services
    const undecryptableCredential = createSecretEncryption('another secret').encrypt(JSON.stringify(s3Credential()))
    await accounts.update(testData().accounts.acme, { bucket_credential: undecryptableCredential, record_all_calls: 1 })
    const { user } = await openForm()
    expect(await screen.findByText(/^The stored bucket credential cannot be decrypted/)).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: 'Storage vendor' })).toBeNull()
    await user.type(await findField('Account name'), ' more')
    await saveAccount(user)
    const [row] = await backend()
      .database.db.selectFrom('accounts')
      .select(['bucket_credential', 'record_all_calls'])
      .where('account_sid', '=', testData().accounts.acme)
      .execute()
    expect(row).toEqual({ bucket_credential: undecryptableCredential, record_all_calls: 1 })
    await accounts.update(testData().accounts.acme, { bucket_credential: null, record_all_calls: 0, name: 'acme' })
  })

  it('requires all fields of the vendor, and both parts of a tag', async () => {
    const { user } = await openForm()
    await selectOption(user, 'Storage vendor', 'S3 compatible')
    await user.click(await findButton('Add tag'))
    expect(screen.queryByText('Tag name is required.')).toBeNull()
    await user.click(await findButton('Save'))
    for (const name of ['Endpoint', 'Bucket name', 'Access key ID', 'Secret access key', 'Tag name', 'Tag value'])
      expect(await screen.findByText(`${name} is required.`)).toBeTruthy()
    await replaceText(user, 'Endpoint', 's3.example.com')
    expect(await screen.findByText('The endpoint must be a URL that starts with http:// or https://.')).toBeTruthy()
    await replaceText(user, 'Tag name', 'a')
    await replaceText(user, 'Tag value', 'b')
    await user.click(await findButton('Add tag'))
    await user.type(screen.getAllByLabelText(/^Tag name/)[1]!, 'a')
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Tag names must be unique.')).toBeTruthy()
    expect((await readAccount()).bucket_credential).toBeNull()
  })

  it('cannot be tested with an invalid Google key file', async () => {
    const { user } = await openForm()
    await selectOption(user, 'Storage vendor', 'Google Cloud Storage')
    await replaceText(user, 'Bucket name', 'recordings')
    const chooseKeyFile = async (content: string) =>
      user.upload(await screen.findByLabelText(/^Service key file/), new File([content], 'key.json'))
    await chooseKeyFile('no JSON')
    expect(await screen.findByText('Invalid service key file, could not parse as JSON.')).toBeTruthy()
    expect((await findButton('Test')).disabled).toBe(true)
    await chooseKeyFile('{"client_email":"recorder@example.com"}')
    expect(await screen.findByText('The service key file must contain a private_key and a client_email.')).toBeTruthy()
    expect((await findButton('Test')).disabled).toBe(true)
    await chooseKeyFile('{"client_email":"recorder@example.com","private_key":"key"}')
    await waitFor(async () => expect((await findButton('Test')).disabled).toBe(false))
  })

  it.each([
    ['AWS S3', ['Bucket name', 'Access key ID', 'Secret access key']],
    ['Azure Blob Storage', ['Container name', 'Connection string']],
  ])('requires all fields of %s', async (vendor, names) => {
    const { user } = await openForm()
    await selectOption(user, 'Storage vendor', vendor)
    await user.click(await findButton('Save'))
    for (const name of names) expect(await screen.findByText(`${name} is required.`)).toBeTruthy()
    expect((await readAccount()).bucket_credential).toBeNull()
  })

  it('is hidden if call recording is disabled', async () => {
    const editPath = `/internal/accounts/${testData().accounts.acme}/edit`
    await render(editPath, { as: 'north', features: { callRecording: false } })
    await screen.findByRole('heading', { name: 'API keys' })
    expect(screen.queryByRole('combobox', { name: 'Storage vendor' })).toBeNull()
  })
})

describe('an Amazon S3 bucket', () => {
  it('can be accessed by role, and has a default region', async () => {
    const { user } = await openForm()
    await selectOption(user, 'Storage vendor', 'AWS S3')
    const regionField = await screen.findByRole('combobox', { name: 'Region' })
    expect(regionField.textContent).toBe('US East (N. Virginia) us-east-1')
    expect(await readOptionTexts(user, 'Credential type')).toEqual(['Access key', 'Assume role'])
    await selectOption(user, 'Credential type', 'Assume role')
    expect(screen.queryByRole('textbox', { name: 'Access key ID' })).toBeNull()
    await replaceText(user, 'Bucket name', 'recordings')
    await replaceText(user, 'Role ARN', 'arn:aws:iam::1:role/r')
    await saveAccount(user)
    expect((await readAccount()).bucket_credential).toEqual({
      vendor: 'aws_s3',
      name: 'recordings',
      region: 'us-east-1',
      credential_type: 'assume_role',
      role_arn: 'arn:aws:iam::1:role/r',
    })
  })

  it("can use the server's instance profile if an administrator chooses it", async () => {
    const { user } = await openForm('admin')
    await selectOption(user, 'Storage vendor', 'AWS S3')
    await selectOption(user, 'Credential type', 'Instance profile')
    await replaceText(user, 'Bucket name', 'recordings')
    expect((await findButton('Test')).disabled).toBe(false)
    await saveAccount(user)
    expect((await readAccount()).bucket_credential).toMatchObject({ credential_type: 'instance_profile' })
  })
})

describe('a Google bucket', () => {
  const keyFileText = (private_key: string) =>
    JSON.stringify({ client_email: 'recorder@example.com', project_id: 'p', private_key })
  const keyFile = (content: string) => new File([content], 'key.json', { type: 'application/json' })
  const findFileInput = () => screen.findByLabelText<HTMLInputElement>(/^Service key file/)

  it('reads its key from a file, and masks the private key', async () => {
    const { user } = await openForm()
    await selectOption(user, 'Storage vendor', 'Google Cloud Storage')
    await user.upload(await findFileInput(), keyFile('nonsense'))
    expect(await screen.findByText('Invalid service key file, could not parse as JSON.')).toBeTruthy()
    await user.upload(await findFileInput(), keyFile('{"client_email":"a"}'))
    expect(await screen.findByText('The service key file must contain a private_key and a client_email.')).toBeTruthy()
    await user.upload(await findFileInput(), keyFile(keyFileText('-----BEGIN PRIVATE KEY-----\nMIIEvQSECRET\n')))
    expect(await screen.findByText('recorder@example.com')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(/The service key file must/)).toBeNull())
    expect(screen.getByText('-----BEGIN PRIVATE KEY----- MIIEvQ••••••••')).toBeTruthy()
    expect(document.body.innerHTML).not.toContain('SECRET')
    await replaceText(user, 'Bucket name', 'recordings')
    await saveAccount(user)
    // the saved key is shown in the same way, and need not be chosen again
    expect(await screen.findByText(/^-----BEGIN PRIVATE KEY----- MIIEvQ/)).toBeTruthy()
    await replaceText(user, 'Bucket name', 'recordings-2')
    await saveAccount(user)
    expect((await readAccount()).bucket_credential).toMatchObject({ vendor: 'google', name: 'recordings-2' })
  })
})

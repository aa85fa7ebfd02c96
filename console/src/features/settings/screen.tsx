import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/service-provider'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { serviceProviderChangesSchema, type ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FormTextField } from '../../fields/text-fields'
import { ApiKeys } from '../../panels/api-keys'
import { ResourceForm } from '../../kit/form/form'
import { Limits } from '../../panels/limits'
import { refreshAfterChange } from '../../kit/record/record'
import { RemoveProvider } from '../../panels/remove-provider'
import { flattenErrors } from '../../kit/form/resolver'
import { TtsCache } from '../../panels/tts-cache'
import { getFeatureFlags } from '../../lib/feature-flags'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useCurrentProvider, useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { Box, KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Tabs } from '../../ui/tabs'
import { readSettings, saveSettings } from './settings-requests'
import { PlatformSettings } from './platform-settings'
import {
  getProviderChanges,
  findSettingsErrors,
  toSettingsValues,
  type SettingsValues,
  type SettingsRecord,
} from './values'

type Tab = 'admin' | 'provider'

const getTabOfField = (path: string): Tab => (/^(system|password)\b/.test(path) ? 'admin' : 'provider')

/** The open tab, stored in the URL. */
const useTab = () => {
  const { tab }: { tab?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const openTab = (nextTab: string) =>
    void navigate({
      to: '.',
      search: nextTab === 'provider' ? { tab: nextTab } : {},
      replace: true,
      resetScroll: false,
    })
  return [tab === 'provider' ? 'provider' : 'admin', openTab] as const
}

/** Deletes the service provider, unless it is the only one. */
const RemoveProviderButton = ({ row }: { row: ServiceProvider }) => {
  const can = useCan()
  const { providers = [] } = useCurrentProvider()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (providers.length < 2 || !can('remove', 'service_provider', { ...row, account_sid: null })) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setIsDialogOpen(true)}>
        Delete
      </Button>
      {isDialogOpen ? <RemoveProvider provider={row} onClose={() => setIsDialogOpen(false)} /> : null}
    </>
  )
}

/** Values of the service provider that API clients need. */
const ApiDetailsBox = ({ row }: { row: ServiceProvider }) => (
  <Box title="API details">
    <KeyValues
      stacked
      items={[
        { label: 'Service provider SID', value: <CopyText text={row.service_provider_sid} alwaysShowCopyButton /> },
      ]}
    />
  </Box>
)

const ProviderSettings = ({ row }: { row: ServiceProvider }) => {
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const owner = { service_provider_sid: row.service_provider_sid, account_sid: null }
  return (
    <>
      <Section title="General">
        <Grid>
          <Cell>
            <FormTextField name="name" label="Service provider name" required maxLength={64} />
          </Cell>
          <Cell>
            <FormTextField
              name="ms_teams_fqdn"
              label="MS Teams domain"
              help="SBC domain registered with Microsoft Teams. Required to add tenants."
              mono
              maxLength={255}
              placeholder="teams.example.com"
            />
          </Cell>
          {getFeatureFlags().hosted ? (
            <Cell>
              <FormTextField
                name="root_domain"
                label="Root domain"
                help={messages.rootDomainHelp}
                mono
                maxLength={128}
                placeholder="sip.example.com"
              />
            </Cell>
          ) : null}
        </Grid>
      </Section>
      <Limits owner={owner} />
      <ApiKeys owner={owner} />
      {capabilities.providerCache ? <TtsCache owner={owner} /> : null}
    </>
  )
}

/**
 * The settings of the current service provider and, for administrators, of the platform. One Save button stores both.
 */
export const Settings = () => {
  const actor = useActor()
  const sid = useProviderSid()
  const cache = useQueryClient()
  const [tab, openTab] = useTab()
  const isAdmin = actor.scope === 'admin'

  const save = async (values: SettingsValues, record: SettingsRecord | undefined) => {
    if (!record) return sid
    try {
      await saveSettings(values, record)
    } catch (error) {
      // some parts may already be saved
      void refreshAfterChange(cache, 'service_provider')
      throw error
    }
    return sid
  }

  return (
    <ResourceForm<ServiceProvider, SettingsValues, SettingsRecord>
      key={sid}
      resource={serviceProvider}
      sid={sid}
      title={{ add: 'Settings', edit: 'Settings' }}
      read={(providerSid, signal) => readSettings(actor, providerSid, signal)}
      values={(record) => toSettingsValues(record!)}
      body={(values, record) => getProviderChanges(values, record!)}
      schema={serviceProviderChangesSchema}
      rules={findSettingsErrors}
      save={(_body, { values, record }) => save(values, record)}
      addedMessage={messages.saved}
      savedMessage={messages.saved}
      nextPath={() => undefined}
      onInvalid={(errorPaths) => {
        if (isAdmin && errorPaths.length > 0 && !errorPaths.some((path) => getTabOfField(path) === tab))
          openTab(getTabOfField(errorPaths[0] ?? ''))
      }}
      actions={({ record }) => (record && tab === 'provider' ? <RemoveProviderButton row={record} /> : null)}
      aside={({ record }) => (record && (!isAdmin || tab === 'provider') ? <ApiDetailsBox row={record} /> : null)}
    >
      {({ form, record }) => {
        if (!record) return null
        const providerSettings = <ProviderSettings row={record} />
        if (!isAdmin) return providerSettings
        const errorTabs = Object.keys(flattenErrors(form.formState.errors)).map(getTabOfField)
        const countErrors = (id: Tab) => errorTabs.filter((errorTab) => errorTab === id).length
        return (
          <Tabs
            label="Settings"
            keepMounted
            value={tab}
            onChange={openTab}
            tabs={[
              {
                id: 'admin',
                label: 'Admin',
                errorCount: countErrors('admin'),
                content: <PlatformSettings platform={record.platform} />,
              },
              {
                id: 'provider',
                label: 'Service provider',
                errorCount: countErrors('provider'),
                content: providerSettings,
              },
            ]}
          />
        )
      }}
    </ResourceForm>
  )
}

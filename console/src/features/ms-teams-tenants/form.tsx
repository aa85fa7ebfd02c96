import { messages as phoneNumberMessages } from '@trunkline/contract/messages/phone-number'
import { messages } from '@trunkline/contract/messages/ms-teams-tenant'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import {
  msTeamsTenantDraftSchema,
  msTeamsTenantChangesSchema,
  type MsTeamsTenant,
} from '@trunkline/contract/shapes/ms-teams-tenant'
import { AccountAndApplication } from '../../fields/account-and-application'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { rethrowDuplicate } from '../../kit/form/duplicate-value'
import { paths } from '../../lib/paths'
import { localValues } from '../../lib/storage'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'

/** The form values of a tenant. A type, not an interface: the form library requires an index signature. */
type TenantValues = {
  tenant_fqdn: string
  account_sid: string | null
  application_sid: string | null
}

const rethrowDuplicateDomain = rethrowDuplicate({
  field: 'tenant_fqdn',
  indexName: 'tenant_fqdn',
  message: messages.duplicateDomain,
})

/** Adds or edits a Microsoft Teams tenant: its domain, its account and the application for its calls. */
export const MsTeamsTenantForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const defaultAccountSid = actor.scope === 'account' ? actor.account_sid : localValues.accountFilter.get()
  return (
    <ResourceForm<MsTeamsTenant, TenantValues>
      resource={msTeamsTenant}
      sid={sid}
      title={{ add: 'Add Microsoft Teams tenant', edit: 'Edit Microsoft Teams tenant' }}
      values={(row) => ({
        tenant_fqdn: row?.tenant_fqdn ?? '',
        account_sid: row ? row.account_sid : defaultAccountSid,
        application_sid: row?.application_sid ?? null,
      })}
      body={({ tenant_fqdn, ...otherColumns }, row) => ({
        tenant_fqdn: tenant_fqdn.trim(),
        ...otherColumns,
        ...(row ? {} : { service_provider_sid }),
      })}
      schema={sid ? msTeamsTenantChangesSchema : msTeamsTenantDraftSchema}
      save={(body, { sid: existingSid }) =>
        saveRecord(msTeamsTenant, existingSid ? { sid: existingSid, changes: body } : { draft: body }).catch(
          rethrowDuplicateDomain,
        )
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(newSid, isNew) => (isNew ? paths.msTeamsTenants.edit(newSid) : undefined)}
      cancelPath={paths.msTeamsTenants.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton
            resource={msTeamsTenant}
            row={record}
            removedMessage={({ tenant_fqdn }) => messages.removed(tenant_fqdn)}
            question={({ tenant_fqdn }) => messages.confirmRemoval(tenant_fqdn)}
            nextPath={paths.msTeamsTenants.list}
          />
        ) : null
      }
    >
      <Section>
        <Grid>
          <Cell span={12}>
            <FormTextField
              name="tenant_fqdn"
              label="Domain name"
              help="The customer's domain in Microsoft Teams, as Direct Routing sends it."
              placeholder="customer.teams.example.com"
              required
              mono
              maxLength={255}
            />
          </Cell>
          <AccountAndApplication
            account={{ required: true, placeholder: 'Choose account' }}
            application={{ noneLabel: phoneNumberMessages.chooseApplication, showsNoneAsPlaceholder: true }}
          />
        </Grid>
      </Section>
    </ResourceForm>
  )
}

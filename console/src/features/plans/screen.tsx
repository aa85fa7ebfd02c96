import { messages } from '@trunkline/contract/messages/plan'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { GrantedCapacities } from './granted-capacities'
import css from './screen.module.css'
import { PriceList } from './price-list'

/** What each plan grants, and what the paid plan costs, for the provider who sells it. */
export const PlansAndPrices = () => (
  <ScreenLayout title={messages.pricesTitle} description={messages.pricesHelp}>
    {/* the region has no focusable content that would scroll it */}
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div className={css.scroll} role="region" aria-label={messages.pricesTitle} tabIndex={0}>
      <GrantedCapacities />
      <PriceList />
    </div>
  </ScreenLayout>
)

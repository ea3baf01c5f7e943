import { NotFound } from '../elements/not-found.tsx';
import { useConsoleLocation } from '../router.ts';
import { DeliveryPage } from './delivery-page.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookPage } from './webhook-page.tsx';

/** Task that creates webhooks and shows their deliveries. */
export default function Webhooks() {
  const [, id, deliveryId, ...rest] = useConsoleLocation().segments;
  if (rest.length > 0) return <NotFound back={['webhooks']} backLabel="Go to all webhooks" />;
  if (id === undefined) return <WebhookList />;
  return deliveryId === undefined ? (
    <WebhookPage key={id} id={id} />
  ) : (
    <DeliveryPage key={deliveryId} id={deliveryId} webhookId={id} />
  );
}

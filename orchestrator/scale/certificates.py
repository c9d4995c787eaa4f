"""Certificates of a cluster: its own authority, and one each for scheduler, worker and client.

Called by `cleanroom cluster certs` and, for one command only, by local_cluster.py. Whoever has the worker's or the
scheduler's key is trusted with everything that the cluster does (docs/threat-model.md); the client's certificate is not
good for posing as a server.
"""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from orchestrator.core.errors import OutputError, UsageError
from orchestrator.data.data_address import check_local
from orchestrator.data.files import private_folder, write_new

AUTHORITY, CERTIFICATE, KEY = "ca.pem", "certificate.pem", "key.pem"
ROLES = ("scheduler", "worker", "client")
AUTHORITY_KEY = "ca.key"
_SKEW = timedelta(minutes=5)  # clocks of machines differ


def make_certificates(folder: Path, days: int = 365) -> None:
    """One folder for each role, and the authority's key beside them, all for their owner only.

    Raises UsageError where the folder is an address or holds something already, OutputError where it cannot be written.
    """
    check_local(folder)
    try:
        private_folder(folder)
        if any(folder.iterdir()):
            raise UsageError(
                f"{folder} is not empty, and certificates are not overwritten.", advice="Name a new folder."
            )
        folder.chmod(0o700)
        _write_all(folder, days)
    except (NotADirectoryError, FileExistsError):
        raise UsageError(f"{folder} is no folder.", advice="Name a new folder.") from None
    except OSError as error:
        raise OutputError(
            f"The certificates cannot be written to {folder}: {error.strerror or error}.", advice="Name another folder."
        ) from error


def _write_all(folder: Path, days: int) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _name("cluster authority")
    authority = (
        _builder(subject, subject, key.public_key(), days)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_others=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    write_new(folder / AUTHORITY_KEY, _private(key))
    for role in ROLES:
        (folder / role).mkdir(mode=0o700)
        own = ec.generate_private_key(ec.SECP256R1())
        purposes = [ExtendedKeyUsageOID.CLIENT_AUTH]
        if role != "client":
            purposes.append(ExtendedKeyUsageOID.SERVER_AUTH)
        certificate = (
            _builder(_name(role), subject, own.public_key(), days)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_others=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()),
                critical=False,
            )
            .sign(key, hashes.SHA256())
        )
        write_new(folder / role / KEY, _private(own))
        for name, made in ((CERTIFICATE, certificate), (AUTHORITY, authority)):
            write_new(folder / role / name, made.public_bytes(serialization.Encoding.PEM))


def check_certificates(folder: Path, *, serves: bool) -> None:
    """Raises UsageError where a member's folder lacks a file, its key is open to others, or it is not good any more.

    `serves`: others connect to this member, as they do to a scheduler and to workers.
    """
    for name in (AUTHORITY, CERTIFICATE, KEY):
        path = folder / name
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise UsageError(
                f"{path} cannot be read: {(error.strerror or str(error)).lower()}.",
                advice="Name a member's own folder, as `cleanroom cluster certs DIR` makes them: DIR/worker, for one.",
            ) from None
        if name == KEY and mode & 0o077:
            raise UsageError(f"The key {path} is open to others.", advice=f"Close it: chmod 600 {path}.")
    certificate = _certificate(folder)
    until = certificate.not_valid_after_utc
    if until < datetime.now(UTC):
        raise expired(folder, until)
    since = certificate.not_valid_before_utc
    if since > datetime.now(UTC):
        raise UsageError(
            f"The certificate in {folder} is good from {since:%Y-%m-%d %H:%M} UTC on, which is still to come.",
            advice="Set the clock of this machine, or of the one that made it, and there make new ones.",
        )
    if serves and ExtendedKeyUsageOID.SERVER_AUTH not in _purposes(certificate):
        raise UsageError(
            f"The certificate in {folder} is a client's: nobody could connect to this process.",
            advice="Name the folder of its own role: DIR/scheduler or DIR/worker of `cleanroom cluster certs DIR`.",
        )


def good_until(folder: Path) -> datetime:
    """When the member's certificate ends. Raises UsageError where it has none that can be used."""
    return _certificate(folder).not_valid_after_utc


def expired(folder: Path, until: datetime) -> UsageError:
    """What a member says, at its start or when it ends for this."""
    return UsageError(
        f"The certificate in {folder} was good until {until:%Y-%m-%d %H:%M} UTC.",
        advice="Make new ones for the whole cluster: cleanroom cluster certs DIR.",
    )


def _certificate(folder: Path) -> x509.Certificate:
    """Raises UsageError where TLS could not be spoken with what is in the folder."""
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(folder / AUTHORITY)
        context.load_cert_chain(folder / CERTIFICATE, folder / KEY, password=b"")
        return x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
    except (OSError, ValueError):
        raise UsageError(
            f"{folder} holds no certificates that can be used, or a key of another one.",
            advice="Copy the member's folder again, as `cleanroom cluster certs DIR` made it.",
        ) from None


def _purposes(certificate: x509.Certificate) -> tuple[x509.ObjectIdentifier, ...]:
    try:
        return tuple(certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)
    except x509.ExtensionNotFound:  # one of another maker: good for everything
        return (ExtendedKeyUsageOID.SERVER_AUTH,)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + timedelta(days=days))
    )


def _name(role: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"cleanroom {role}")])


def _usage(*, signs_others: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=signs_others,
        crl_sign=signs_others,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )

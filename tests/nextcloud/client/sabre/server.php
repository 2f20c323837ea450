<?php

namespace Sabre\DAV {
    // Since PHP 8.1 the built-in one guesses by likelihood, and takes some UTF-8 names for Latin-1.
    function mb_detect_encoding($text, $encodings = null, $strict = false)
    {
        return mb_check_encoding($text, 'UTF-8') ? 'UTF-8' : 'ISO-8859-1';
    }
}

namespace {

// A sabre/dav 1.8 (Debian's php-sabre-dav) with the addresses of a Nextcloud, for `php -S`.
// It keeps the files of the user "tester" in the folder that SABRE_FOLDER names, and calendars and cards in a database there.

error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
ini_set('display_errors', '0');
date_default_timezone_set('UTC');

require_once 'Sabre/autoload.php';

class OneLogin extends \Sabre\DAV\Auth\Backend\AbstractBasic
{
    protected function validateUserPass($username, $password)
    {
        // The login name is not the id of the user, as with LDAP.
        return $username === 'tester@example.org' && $password === 'secret';
    }

    public function getCurrentUser()
    {
        return 'tester';
    }
}

class OnePrincipal extends \Sabre\DAVACL\PrincipalBackend\AbstractBackend
{
    public function getPrincipalsByPrefix($prefix)
    {
        return [['uri' => 'principals/users/tester', '{DAV:}displayname' => 'Tester']];
    }

    public function getPrincipalByPath($path)
    {
        return $path === 'principals/users/tester' ? $this->getPrincipalsByPrefix('')[0] : null;
    }

    public function updatePrincipal($path, $mutations)
    {
        return false;
    }

    public function searchPrincipals($prefix, array $properties)
    {
        return [];
    }

    public function getGroupMemberSet($principal)
    {
        return [];
    }

    public function getGroupMembership($principal)
    {
        return [];
    }

    public function setGroupMemberSet($principal, array $members)
    {
    }
}

class Home extends \Sabre\DAV\FSExt\Directory
{
    public function getName()
    {
        return 'tester';
    }
}

// What OCS tells of the user, which clients ask for the zone and the address.
if (strpos($_SERVER['REQUEST_URI'], '/ocs/v2.php/cloud/user') === 0) {
    header('Content-Type: application/json');
    $me = ['id' => 'tester', 'displayname' => 'Tester', 'email' => 'tester@example.org', 'timezone' => 'Europe/Berlin'];
    echo json_encode(['ocs' => ['meta' => ['statuscode' => 200, 'message' => 'OK'], 'data' => $me]]);
    return;
}

function database()
{
    $path = getenv('SABRE_FOLDER') . '.sqlite';
    $new = !file_exists($path);
    $db = new \PDO("sqlite:$path");
    $db->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_EXCEPTION);
    if ($new) {
        $db->exec('CREATE TABLE calendars (id integer primary key asc, principaluri text, displayname text, uri text,'
            . ' ctag integer, description text, calendarorder integer, calendarcolor text, timezone text, components text,'
            . ' transparent bool)');
        $db->exec('CREATE TABLE calendarobjects (id integer primary key asc, calendardata blob, uri text,'
            . ' calendarid integer, lastmodified integer, etag text, size integer, componenttype text,'
            . ' firstoccurence integer, lastoccurence integer)');
        $db->exec('CREATE TABLE addressbooks (id integer primary key asc, principaluri text, displayname text, uri text,'
            . ' description text, ctag integer)');
        $db->exec('CREATE TABLE cards (id integer primary key asc, addressbookid integer, carddata blob, uri text,'
            . ' lastmodified integer)');
    }
    return $db;
}

$db = database();
$person = (new OnePrincipal())->getPrincipalByPath('principals/users/tester');
$calendars = new \Sabre\CalDAV\UserCalendars(new \Sabre\CalDAV\Backend\PDO($db), $person);
$cards = new \Sabre\CardDAV\UserAddressBooks(new \Sabre\CardDAV\Backend\PDO($db), $person['uri']);

$server = new \Sabre\DAV\Server([
    new \Sabre\DAV\SimpleCollection('files', [new Home(getenv('SABRE_FOLDER'))]),
    new \Sabre\DAV\SimpleCollection('calendars', [$calendars]),
    new \Sabre\DAV\SimpleCollection('addressbooks', [new \Sabre\DAV\SimpleCollection('users', [$cards])]),
    new \Sabre\DAV\SimpleCollection('principals', [
        new \Sabre\DAVACL\PrincipalCollection(new OnePrincipal(), 'principals/users'),
    ]),
]);
$server->setBaseUri('/remote.php/dav/');
$server->addPlugin(new \Sabre\DAV\Auth\Plugin(new OneLogin(), 'sabre'));
$acl = new \Sabre\DAVACL\Plugin();
$acl->defaultUsernamePath = 'principals/users';
$server->addPlugin($acl);
$server->addPlugin(new \Sabre\CalDAV\Plugin());
$server->addPlugin(new \Sabre\CardDAV\Plugin());
$server->exec();

}
